CREATE TABLE `__new_deliveries` (
	`webhook_id` text NOT NULL,
	`sequence` integer NOT NULL,
	`number` integer DEFAULT 0 NOT NULL,
	`timestamp` text,
	`attempts` text NOT NULL,
	`attempts_in_round` integer NOT NULL,
	`next_attempt_at` text,
	`requested_at` text,
	PRIMARY KEY(`webhook_id`, `sequence`, `number`)
);
--> statement-breakpoint
-- In the order of the primary key, so that each page of its index is written once. Without rows of removed events, which no query found.
INSERT INTO `__new_deliveries` (`webhook_id`, `sequence`, `attempts`, `attempts_in_round`, `next_attempt_at`, `requested_at`)
SELECT `webhook_id`, `sequence`, `attempts`, `tries`, `next_attempt_at`, `requested_at`
FROM `deliveries` WHERE `sequence` IN (SELECT `sequence` FROM `events`) ORDER BY `webhook_id`, `sequence`;
--> statement-breakpoint
INSERT INTO `__new_deliveries` (`webhook_id`, `sequence`, `number`, `timestamp`, `attempts`, `attempts_in_round`, `next_attempt_at`, `requested_at`)
SELECT `webhook_id`, `sequence`, `number`, `timestamp`, `attempts`, `tries`, `next_attempt_at`, `requested_at`
FROM `webhook_tests` ORDER BY `number`;
--> statement-breakpoint
DROP TABLE `webhook_tests`;--> statement-breakpoint
DROP TABLE `deliveries`;--> statement-breakpoint
ALTER TABLE `__new_deliveries` RENAME TO `deliveries`;--> statement-breakpoint
CREATE INDEX `deliveries_due` ON `deliveries` (`webhook_id`,`next_attempt_at`) WHERE "deliveries"."next_attempt_at" is not null and "deliveries"."requested_at" is null;--> statement-breakpoint
CREATE INDEX `deliveries_requested` ON `deliveries` (`webhook_id`,`requested_at`) WHERE "deliveries"."requested_at" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX `deliveries_tests` ON `deliveries` (`number`) WHERE "deliveries"."timestamp" is not null;--> statement-breakpoint
CREATE INDEX `deliveries_tests_pending` ON `deliveries` (`webhook_id`) WHERE "deliveries"."timestamp" is not null and "deliveries"."next_attempt_at" is not null;--> statement-breakpoint
CREATE INDEX `deliveries_tests_settled` ON `deliveries` (`timestamp`) WHERE "deliveries"."timestamp" is not null and "deliveries"."next_attempt_at" is null;
