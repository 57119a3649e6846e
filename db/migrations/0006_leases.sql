CREATE TABLE `senders` (
	`id` text PRIMARY KEY NOT NULL,
	`expires_at` text NOT NULL
);
--> statement-breakpoint
ALTER TABLE `webhooks` ADD `lease_owner` text;--> statement-breakpoint
ALTER TABLE `webhooks` ADD `lease_epoch` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `webhooks` ADD `lease_expires_at` text;