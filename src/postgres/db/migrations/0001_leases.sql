CREATE TABLE "senders" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"expires_at" text COLLATE "C" NOT NULL
);
--> statement-breakpoint
ALTER TABLE "webhooks" ADD COLUMN "lease_owner" text COLLATE "C";--> statement-breakpoint
ALTER TABLE "webhooks" ADD COLUMN "lease_epoch" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "webhooks" ADD COLUMN "lease_expires_at" text COLLATE "C";