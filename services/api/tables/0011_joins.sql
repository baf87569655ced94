-- Guests that have become a part of an account, or an account, and of whom the log has not been told yet.
create table joins (
    guest text primary key,
    account text not null
);
insert into joins select id, merged_into from players where merged_into is not null;
insert into joins select id, id from players where not guest;
