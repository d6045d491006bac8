-- What instances and migrations are compatible with, so that gateways of two versions can share a store.

-- The newest migration that the instance knows and the newest that it needs; null for a program from before this step.
ALTER TABLE instances ADD COLUMN known_version INTEGER;

ALTER TABLE instances ADD COLUMN needed_version INTEGER;

-- Host name and process id, so that an operator finds it.
ALTER TABLE instances ADD COLUMN process TEXT COLLATE "C";

-- Programs that know this version or a newer one can serve the store after the migration; null means its own version.
ALTER TABLE schema_migrations ADD COLUMN compatible_from INTEGER;
