-- When a name was last taken from a player, as far as that has been done: what the log tells once more is not done again.
alter table players add renamed_at timestamptz;
