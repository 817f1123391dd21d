-- Names may have any character. The class of the SQL state is that of a wrong name of a database: the service names the setting to change.
do $$
begin
    if getdatabaseencoding() <> 'UTF8' then
        raise 'The encoding of the database is %, not UTF8', getdatabaseencoding() using errcode = '3D000';
    end if;
end $$;

-- A plan without limits leaves them to each key.
create table plan (
    name       text primary key,
    per_minute integer check (per_minute > 0),
    per_day    integer check (per_day > 0),
    check ((per_minute is null) = (per_day is null))
);

insert into plan (name, per_minute, per_day)
values ('free', 60, 1000),
       ('pro', 300, 10000),
       ('business', 1000, 100000),
       ('enterprise', null, null);

-- Each page has room for new versions of its rows, so that recording when keys were last used changes no index.
create table api_key (
    id           bigint      generated always as identity primary key,
    -- In normal form C, so that a search finds it however its letters were composed.
    owner        text        not null check (owner is nfc normalized),
    plan         text        not null references plan,
    per_minute   integer     check (per_minute > 0),
    per_day      integer     check (per_day > 0),
    -- Raised by a trigger, so that a replica notices that its copy is outdated. Up to the limit of Lua's integers.
    version      bigint      not null default 1 check (version < 9007199254740992),
    created_at   timestamptz not null default now(),
    expires_at   timestamptz,
    suspended_at timestamptz,
    revoked_at   timestamptz,
    last_used_at timestamptz,
    check ((per_minute is null) = (per_day is null))
) with (fillfactor = 80);

-- They serve the operators' search by whole names, by plan and by state. The primary key serves the rest: most keys are active, and a part of a name may be in
-- each, which takes a fifth of a second for 200,000.
create index api_key_owner on api_key (owner, id);
create index api_key_plan on api_key (plan, id);
create index api_key_revoked on api_key (id) where revoked_at is not null;
create index api_key_expiring on api_key (expires_at) where expires_at is not null and revoked_at is null;

-- The texts by which a key is known: those that work, one while nothing is rotated, two during a grace period, and those that have ended.
create table api_key_secret (
    id         bigint      generated always as identity primary key,
    key_id     bigint      not null references api_key,
    -- SHA-256 of the whole text, which is stored nowhere.
    hash       bytea       not null unique check (length(hash) = 32),
    hint       text        not null,
    created_at timestamptz not null default now(),
    -- When a newer secret took its place, and how long it goes on working.
    rotated_at timestamptz,
    expires_at timestamptz,
    -- Whether it has ended, whatever clocks say.
    ended      boolean     not null default false
);

create index api_key_secret_key_id on api_key_secret (key_id);

-- Forms of the console that were used, so that one that is sent again changes nothing.
create table console_form (
    id      uuid        primary key,
    -- The key that the form issued.
    key_id  bigint      references api_key,
    used_at timestamptz not null
);

-- How many requests of a key had which outcome on a UTC day, and its plan then. No foreign key: a batch of rows would look up each, and wait for whoever
-- has locked the key. Usage of a key that was deleted by SQL stays, and is in sums only.
-- Each page has room for new versions of its rows, since those of today change all day.
create table usage_day (
    key_id   bigint not null,
    day      date   not null,
    plan     text   not null,
    admitted bigint not null,
    refused  bigint not null,
    banned   bigint not null,
    primary key (key_id, day)
) with (fillfactor = 80);

-- Serves the list of one day, and the removal of the oldest. The primary key serves the days of a key.
create index usage_day_day on usage_day (day, key_id);

-- For the console's overview, which would otherwise read all usage of a day to find the keys that were banned.
create index usage_day_banned on usage_day (day, key_id) where banned > 0;

-- What changed keys, whatever wrote it: operators are shown it, and every replica looks for what is new in it (docs/concepts.md). Written by
-- triggers, and erase_former_owners, only: the policies let a user that does not own the table read it, and remove what is older than a day.
create table key_change (
    id       bigint      generated always as identity primary key,
    changed  xid8        not null default pg_current_xact_id(),
    at       timestamptz not null default clock_timestamp(),
    -- The key, or the plan of the keys. Neither if a table was emptied, which concerns all keys.
    key_id   bigint,
    plan     text,
    -- An operator of the service and what he did, or the user of the database.
    operator text        not null default coalesce(nullif(current_setting('animalstore.operator', true), ''), session_user),
    action   text        not null default coalesce(nullif(current_setting('animalstore.action', true), ''), 'sql'),
    -- The row of the key, of each of its secrets and of the plan, in a member of its own: null if there was none. Without hashes.
    before   jsonb       not null default '{}',
    after    jsonb       not null default '{}',
    -- When the transaction began: another server, whose rows were restored here, may have used its number.
    began    timestamptz
);

-- They serve the looks of replicas, the list of a key's changes, the removal of the oldest, and lists of all keys' changes, also of one operator.
-- One row per key and transaction.
create unique index key_change_changed on key_change (changed, key_id, began);
create index key_change_key_id on key_change (key_id, id);
create index key_change_at on key_change (at, id);
create index key_change_operator on key_change (operator, at, id);

-- No policy for update: what locks a row for an update, as "for update" does, finds none.
alter table key_change enable row level security;
create policy shown on key_change for select using (true);
create policy past on key_change for delete using (at < now() - interval '1 day');

-- The greatest of the old version, a wanted one and PostgreSQL's clock in microseconds, so that a version is later than any that was lost with
-- data. The step is random, so that two changes after the same backup have different versions.
create function raise_key_version() returns trigger language plpgsql as $$
begin
    new.version := greatest(old.version, new.version, floor(extract(epoch from clock_timestamp()) * 1000000)) + 1 + floor(random() * 1000);
    return new;
end $$;

-- Every column but last_used_at: that a key was used is no change, and is written for many keys at once.
create trigger raise_version
    before insert or update of id, owner, plan, per_minute, per_day, version, created_at, expires_at, suspended_at, revoked_at on api_key
    for each row execute function raise_key_version();

-- These triggers run as the owner of the schema, who alone may write the table. They find the tables of this schema only: a temporary table of the
-- session comes last.
do $$
begin
    perform set_config('search_path', quote_ident(current_schema()) || ', pg_temp', true);
end $$;

-- Records what a row was before the first statement of the transaction that wrote it, and is after the last one. Runs as the trigger that calls it.
create function record_row(of_key bigint, member text, old_row jsonb, new_row jsonb) returns void language plpgsql as $$
begin
    insert into key_change as recorded (began, key_id, before, after)
    values (now(), of_key, jsonb_build_object(member, old_row), jsonb_build_object(member, new_row))
    on conflict (changed, key_id, began) do update set
        before = excluded.before || recorded.before, after = recorded.after || excluded.after;
end $$;

create function record_key() returns trigger language plpgsql security definer set search_path from current as $$
begin
    perform record_row(coalesce(new.id, old.id), 'key',
                       to_jsonb(old) - array['version', 'last_used_at'], to_jsonb(new) - array['version', 'last_used_at']);
    return null;
end $$;

-- One that moves to another key is removed from the one and added to the other.
create function record_secret() returns trigger language plpgsql security definer set search_path from current as $$
declare
    member text := 'secret ' || coalesce(new.id, old.id);
begin
    if old.key_id <> new.key_id then
        perform record_row(old.key_id, member, to_jsonb(old) - 'hash', null), record_row(new.key_id, member, null, to_jsonb(new) - 'hash');
    else
        perform record_row(coalesce(new.key_id, old.key_id), member, to_jsonb(old) - 'hash', to_jsonb(new) - 'hash');
    end if;
    return null;
end $$;

create function record_plan() returns trigger language plpgsql security definer set search_path from current as $$
begin
    insert into key_change (plan, before, after)
    values (coalesce(old.name, new.name), jsonb_build_object('plan', to_jsonb(old)), jsonb_build_object('plan', to_jsonb(new)));
    return null;
end $$;

create function record_emptied() returns trigger language plpgsql security definer set search_path from current as $$
begin
    insert into key_change default values;
    return null;
end $$;

create trigger record_change
    after insert or delete or update of id, owner, plan, per_minute, per_day, version, created_at, expires_at, suspended_at, revoked_at on api_key
    for each row execute function record_key();
create trigger record_change after insert or update or delete on api_key_secret for each row execute function record_secret();
create trigger record_change after insert or update or delete on plan for each row execute function record_plan();
create trigger record_emptied after truncate on api_key for each statement execute function record_emptied();
create trigger record_emptied after truncate on api_key_secret for each statement execute function record_emptied();

-- Writes the present owner of a key over all in the records of its changes, and returns the number of records. For the owner of the schema, and whom he
-- lets execute it, after a change of the key's owner, since that records the one before. Of a key that was deleted the owner becomes "erased".
create function erase_former_owners(of_key bigint) returns bigint language sql security definer set search_path from current as $$
    with erased as (
        update key_change set before = jsonb_set(before, '{key,owner}', present, false), after = jsonb_set(after, '{key,owner}', present, false)
        from (select to_jsonb(coalesce((select owner from api_key where id = of_key), 'erased')) as present) as of_owner
        where key_id = of_key
        returning true)
    select count(*) from erased
$$;
revoke all on function erase_former_owners(bigint) from public;
