CREATE TABLE `deliveries` (
	`webhook_id` text NOT NULL,
	`sequence` integer NOT NULL,
	`attempts` text NOT NULL,
	`tries` integer NOT NULL,
	`next_attempt_at` text,
	PRIMARY KEY(`webhook_id`, `sequence`)
);
--> statement-breakpoint
CREATE INDEX `deliveries_due` ON `deliveries` (`webhook_id`,`next_attempt_at`) WHERE "deliveries"."next_attempt_at" is not null;--> statement-breakpoint
CREATE TABLE `webhooks` (
	`id` text PRIMARY KEY NOT NULL,
	`url` text NOT NULL,
	`events` text NOT NULL,
	`description` text,
	`secrets` text NOT NULL,
	`position` integer NOT NULL,
	`created_at` text NOT NULL,
	`failing_since` text,
	`disabled_at` text,
	`disabled_reason` text,
	`enabled_at` text
);
