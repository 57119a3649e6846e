DROP INDEX "deliveries_state";--> statement-breakpoint
-- Most deliveries are delivered: the default writes no row, and the update the others. The state is the one of the index before.
ALTER TABLE "deliveries" ADD COLUMN "state" text COLLATE "C" DEFAULT 'delivered' NOT NULL;--> statement-breakpoint
ALTER TABLE "deliveries" ALTER COLUMN "state" DROP DEFAULT;--> statement-breakpoint
UPDATE "deliveries" SET "state" = CASE WHEN "next_attempt_at" IS NOT NULL THEN 'pending' ELSE 'failed' END
WHERE "next_attempt_at" IS NOT NULL OR "attempts" NOT LIKE '%"status":2__}]';--> statement-breakpoint
CREATE INDEX "deliveries_state" ON "deliveries" USING btree ("state","sequence","number","webhook_id");