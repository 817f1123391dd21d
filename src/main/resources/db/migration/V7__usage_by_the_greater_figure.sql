-- What of a row's figures was added of local decisions. The rest is the greatest that Redis had. The columns incarnation and counted_* and the
-- tables usage_collector and unraised_version are for the previous version only; a later migration drops them.
alter table usage_day
    add column local_admitted bigint not null default 0,
    add column local_refused  bigint not null default 0,
    add column local_banned   bigint not null default 0;

-- When a replica last began to collect all keys.
create table usage_sweep (
    started_at timestamptz not null
);

insert into usage_sweep (started_at) values ('-infinity');
