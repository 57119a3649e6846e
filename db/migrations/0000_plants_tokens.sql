CREATE TABLE `plants` (
	`id` integer PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`tag` text,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `schema_migrations` (
	`name` text PRIMARY KEY NOT NULL,
	`hash` text NOT NULL,
	`applied_at` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `tokens` (
	`id` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`digest` text NOT NULL,
	`scopes` text NOT NULL,
	`created_at` text NOT NULL,
	`expires_at` text,
	`revoked_at` text
);
--> statement-breakpoint
CREATE UNIQUE INDEX `tokens_digest` ON `tokens` (`digest`);