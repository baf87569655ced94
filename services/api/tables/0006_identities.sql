-- Who an account is at an OpenID Connect provider.
create table identities (
    issuer text not null,
    subject text not null,
    player text not null references players,
    made_at timestamptz not null,
    primary key (issuer, subject)
);
create unique index on identities (player, issuer);

-- Returns from the provider that were used, so that none is used twice.
create table returns (
    state bytea primary key,  -- its SHA-256
    at timestamptz not null
);
create index on returns (at);
