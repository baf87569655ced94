-- Requests that were answered, by their keys, for two days. Answers are kept without anything secret.
create table requests (
    scope text not null,  -- whose key it is, and for what
    key text not null,
    digest bytea not null,  -- of what was asked, keyed
    answer bytea not null default '',
    at timestamptz not null,
    primary key (scope, key)
);
create index on requests (at);
