DROP INDEX `deliveries_due`;--> statement-breakpoint
ALTER TABLE `deliveries` ADD `requested_at` text;--> statement-breakpoint
CREATE INDEX `deliveries_requested` ON `deliveries` (`webhook_id`,`requested_at`) WHERE "deliveries"."requested_at" is not null;--> statement-breakpoint
CREATE INDEX `deliveries_due` ON `deliveries` (`webhook_id`,`next_attempt_at`) WHERE "deliveries"."next_attempt_at" is not null and "deliveries"."requested_at" is null;--> statement-breakpoint
ALTER TABLE `webhook_tests` ADD `requested_at` text;--> statement-breakpoint
CREATE INDEX `webhook_tests_requested` ON `webhook_tests` (`webhook_id`,`requested_at`) WHERE "webhook_tests"."requested_at" is not null;
--> statement-breakpoint
-- So far, what was asked for was due in the second millennium.
UPDATE `deliveries` SET `next_attempt_at` = strftime('%Y-%m-%dT%H:%M:%fZ', 'now'), `requested_at` = strftime('%Y-%m-%dT%H:%M:%fZ', 'now')
WHERE `next_attempt_at` < '1970-01-01T00:00:00.000Z';
--> statement-breakpoint
UPDATE `webhook_tests` SET `next_attempt_at` = strftime('%Y-%m-%dT%H:%M:%fZ', 'now'), `requested_at` = strftime('%Y-%m-%dT%H:%M:%fZ', 'now')
WHERE `next_attempt_at` < '1970-01-01T00:00:00.000Z';
