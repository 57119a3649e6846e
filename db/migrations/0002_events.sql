CREATE TABLE `events` (
	`sequence` integer PRIMARY KEY NOT NULL,
	`type` text NOT NULL,
	`timestamp` text NOT NULL,
	`plant_id` integer,
	`name` text,
	`tag` text
);
--> statement-breakpoint
CREATE INDEX `events_type` ON `events` (`type`);