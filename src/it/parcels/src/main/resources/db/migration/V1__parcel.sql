create table parcel (
    id       bigint        generated always as identity primary key,
    sender   bigint        not null,
    ship_to  varchar(200)  not null,
    grams    integer       not null,
    size     varchar(10)   not null,
    value    numeric(12,2),
    fragile  boolean       not null,
    due      date,
    picked   timestamptz,
    tracking uuid,
    labels   text[]        not null
);
-- A table of the same name as one of the engine's.
create table plan (id integer primary key);
