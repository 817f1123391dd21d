-- Versions of keys that may not be known in Redis yet: written in the transaction of the change, forgotten once Redis knows.
create table unraised_version (
    key_id  bigint primary key references api_key,
    version bigint not null
);
