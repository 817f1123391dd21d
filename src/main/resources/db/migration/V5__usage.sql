-- How many requests of a key had which outcome on a UTC day. No foreign key: keys are never deleted, and a batch of rows would look up each.
create table usage_day (
    key_id           bigint not null,
    day              date   not null,
    admitted         bigint not null,
    refused          bigint not null,
    banned           bigint not null,
    -- What of the counters in Redis is in the above, and which incarnation of them that is: 0 if none.
    incarnation      bigint not null default 0,
    counted_admitted bigint not null default 0,
    counted_refused  bigint not null default 0,
    counted_banned   bigint not null default 0,
    primary key (key_id, day)
) with (fillfactor = 80);

-- Serves the list of one day, and the removal of the oldest. The primary key serves the days of a key.
create index usage_day_day on usage_day (day, key_id);

-- The number of the last addition that each replica made of what it decided locally.
create table usage_addition (
    replica  uuid        primary key,
    number   bigint      not null,
    added_at timestamptz not null
);

-- The replicas that collect usage, and when each was last alive. The keys of one that was killed are collected by another.
create table usage_collector (
    replica uuid        primary key,
    seen_at timestamptz not null
);
