-- drop the old table
-- and all of its indexes
select 1;
++ even
