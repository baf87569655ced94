-- What was worked out for a word list, by the hash of the list: made by tasks, loaded by solvers.
create table solver_lists (
    words text not null,
    name text not null,  -- openings, first_rows
    content bytea not null,
    made_at timestamptz not null,
    primary key (words, name)
);
