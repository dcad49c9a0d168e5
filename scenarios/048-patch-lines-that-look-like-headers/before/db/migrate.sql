-- drop the old table
--- and its index
select 1;
++ odd
