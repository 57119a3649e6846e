CREATE TABLE `__new_deliveries` (
	`webhook_id` text NOT NULL,
	`sequence` integer NOT NULL,
	`number` integer DEFAULT 0 NOT NULL,
	`timestamp` text,
	`attempts` text NOT NULL,
	`attempts_in_round` integer NOT NULL,
	`next_attempt_at` text,
	`requested_at` text,
	`state` text NOT NULL,
	PRIMARY KEY(`webhook_id`, `sequence`, `number`)
);
--> statement-breakpoint
-- In the order of the primary key, so that each page of its index is written once. The state is the one of the index before.
INSERT INTO `__new_deliveries` (`webhook_id`, `sequence`, `number`, `timestamp`, `attempts`, `attempts_in_round`, `next_attempt_at`, `requested_at`, `state`)
SELECT `webhook_id`, `sequence`, `number`, `timestamp`, `attempts`, `attempts_in_round`, `next_attempt_at`, `requested_at`,
	CASE WHEN `next_attempt_at` IS NOT NULL THEN 'pending' WHEN `attempts` LIKE '%"status":2__}]' THEN 'delivered' ELSE 'failed' END
FROM `deliveries` ORDER BY `webhook_id`, `sequence`, `number`;
--> statement-breakpoint
DROP TABLE `deliveries`;--> statement-breakpoint
ALTER TABLE `__new_deliveries` RENAME TO `deliveries`;--> statement-breakpoint
CREATE INDEX `deliveries_due` ON `deliveries` (`webhook_id`,`next_attempt_at`) WHERE "deliveries"."next_attempt_at" is not null and "deliveries"."requested_at" is null;--> statement-breakpoint
CREATE INDEX `deliveries_requested` ON `deliveries` (`webhook_id`,`requested_at`) WHERE "deliveries"."requested_at" is not null;--> statement-breakpoint
CREATE INDEX `deliveries_state` ON `deliveries` (`state`,`sequence`,`number`,`webhook_id`);--> statement-breakpoint
CREATE UNIQUE INDEX `deliveries_tests` ON `deliveries` (`number`) WHERE "deliveries"."timestamp" is not null;--> statement-breakpoint
CREATE INDEX `deliveries_tests_pending` ON `deliveries` (`webhook_id`) WHERE "deliveries"."timestamp" is not null and "deliveries"."next_attempt_at" is not null;--> statement-breakpoint
CREATE INDEX `deliveries_tests_settled` ON `deliveries` (`timestamp`) WHERE "deliveries"."timestamp" is not null and "deliveries"."next_attempt_at" is null;