-- Serve the operators' search for keys by the beginning of the owner, by plan and by state. Most keys are active, so nothing serves that state
-- but the primary key.
create index api_key_owner_prefix on api_key (lower(owner) text_pattern_ops);
create index api_key_plan on api_key (plan, id);
create index api_key_revoked on api_key (id) where revoked_at is not null;
create index api_key_expiring on api_key (expires_at) where expires_at is not null and revoked_at is null;

-- Sessions of the operators' console that were ended before their time. All others are valid by their signature alone.
create table console_session_end (
    session    text        primary key,
    -- When the session would have ended.
    expires_at timestamptz not null
);

-- Forms of the console that were used, so that one that is sent again changes nothing.
create table console_form (
    id      uuid        primary key,
    -- The key that the form issued or changed; empty until then, in the same transaction.
    key_id  bigint      references api_key,
    used_at timestamptz not null
);
