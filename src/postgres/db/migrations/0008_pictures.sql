CREATE TABLE "pictures" (
	"plant_id" bigint PRIMARY KEY NOT NULL,
	"content" "bytea" NOT NULL
);
--> statement-breakpoint
ALTER TABLE "events" ADD COLUMN "picture" text COLLATE "C";--> statement-breakpoint
ALTER TABLE "plants" ADD COLUMN "picture" text COLLATE "C";
--> statement-breakpoint
-- A webhook that was sent all events so far is sent all events. The others are sent the types that they list.
UPDATE "webhooks" SET "events" = "events" || ' plant.picture.updated plant.picture.deleted'
WHERE "events" LIKE '%plant.created%' AND "events" LIKE '%plant.updated%' AND "events" LIKE '%plant.deleted%';
