-- A game that waits for a secret (its state is waiting) is told from one that is played: all is folded anew.
delete from positions where name = 'games';
delete from parked where projection = 'games';
truncate games.games, games.seats;

alter table games.seats add secret_set bool not null default false;  -- what the other shall find
