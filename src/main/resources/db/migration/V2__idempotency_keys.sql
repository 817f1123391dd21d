-- What POST /v1/pets made for requests that carried an Idempotency-Key: written in the pet's own transaction, forgotten after a day.
create table idempotency_key (
    -- The identity of whoever sent it: an identifier of api_key, which this table does not need to know.
    caller     text        not null,
    key        text        not null check (length(key) between 1 and 255),
    pet_id     bigint      not null references pet,
    created_at timestamptz not null,
    primary key (caller, key)
);

-- Serves the removal of the oldest.
create index idempotency_key_created_at on idempotency_key (created_at);
