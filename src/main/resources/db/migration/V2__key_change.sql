-- What operators did with keys, for the operators' list of a key's changes, which the primary key serves. No foreign key: keys are never deleted,
-- and adding one would lock api_key.
create table key_change (
    key_id   bigint      not null,
    id       bigint      generated always as identity,
    at       timestamptz not null,
    operator text        not null,
    action   text        not null,
    primary key (key_id, id)
);

-- Serves the removal of the oldest.
create index key_change_at on key_change (at);
