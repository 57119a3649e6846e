CREATE TABLE `plants` (
	`id` integer PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`tag` text
);
