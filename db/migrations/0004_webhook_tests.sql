CREATE TABLE `webhook_tests` (
	`number` integer PRIMARY KEY NOT NULL,
	`webhook_id` text NOT NULL,
	`sequence` integer NOT NULL,
	`timestamp` text NOT NULL,
	`attempts` text NOT NULL,
	`tries` integer NOT NULL,
	`next_attempt_at` text
);
--> statement-breakpoint
CREATE INDEX `webhook_tests_place` ON `webhook_tests` (`webhook_id`,`sequence`);--> statement-breakpoint
CREATE INDEX `webhook_tests_due` ON `webhook_tests` (`webhook_id`,`next_attempt_at`) WHERE "webhook_tests"."next_attempt_at" is not null;--> statement-breakpoint
CREATE INDEX `webhook_tests_settled` ON `webhook_tests` (`timestamp`) WHERE "webhook_tests"."next_attempt_at" is null;
--> statement-breakpoint
-- The tests so far move out of the log. Each follows the newest event of a plant before it, found by the index on the type.
INSERT INTO `webhook_tests` (`webhook_id`, `sequence`, `timestamp`, `attempts`, `tries`, `next_attempt_at`)
SELECT delivery.`webhook_id`,
	max(
		coalesce((SELECT max(`sequence`) FROM `events` WHERE `type` = 'plant.created' AND `sequence` < test.`sequence`), 0),
		coalesce((SELECT max(`sequence`) FROM `events` WHERE `type` = 'plant.updated' AND `sequence` < test.`sequence`), 0),
		coalesce((SELECT max(`sequence`) FROM `events` WHERE `type` = 'plant.deleted' AND `sequence` < test.`sequence`), 0)
	),
	test.`timestamp`, delivery.`attempts`, delivery.`tries`, delivery.`next_attempt_at`
FROM `deliveries` AS delivery
CROSS JOIN `events` AS test ON test.`sequence` = delivery.`sequence` AND test.`type` = 'webhook.test'
WHERE delivery.`webhook_id` IN (SELECT `id` FROM `webhooks`)
ORDER BY test.`sequence`;
--> statement-breakpoint
DELETE FROM `deliveries` WHERE `sequence` IN (SELECT `sequence` FROM `events` WHERE `type` = 'webhook.test');
--> statement-breakpoint
DELETE FROM `events` WHERE `type` = 'webhook.test';
--> statement-breakpoint
-- The next event takes the sequence of a test that was the newest, so no webhook may be past it.
UPDATE `webhooks` SET `position` = min(`position`, (SELECT coalesce(max(`sequence`), 0) FROM `events`));
