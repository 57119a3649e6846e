CREATE TABLE `pictures` (
	`plant_id` integer PRIMARY KEY NOT NULL,
	`content` blob NOT NULL
);
--> statement-breakpoint
ALTER TABLE `events` ADD `picture` text;--> statement-breakpoint
ALTER TABLE `plants` ADD `picture` text;
--> statement-breakpoint
-- A webhook that was sent all events so far is sent all events. The others are sent the types that they list.
UPDATE `webhooks` SET `events` = `events` || ' plant.picture.updated plant.picture.deleted'
WHERE `events` LIKE '%plant.created%' AND `events` LIKE '%plant.updated%' AND `events` LIKE '%plant.deleted%';
