ALTER TABLE "batches" RENAME TO "transactions";--> statement-breakpoint
ALTER INDEX "batches_pkey" RENAME TO "transactions_pkey";--> statement-breakpoint
ALTER TABLE "deliveries" DROP CONSTRAINT "deliveries_webhook_id_sequence_pk";--> statement-breakpoint
-- Rows of removed events, which no query found.
DELETE FROM "deliveries" WHERE NOT EXISTS (SELECT FROM "events" WHERE "events"."sequence" = "deliveries"."sequence");--> statement-breakpoint
ALTER TABLE "deliveries" ADD COLUMN "number" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "deliveries" ADD COLUMN "timestamp" text COLLATE "C";--> statement-breakpoint
INSERT INTO "deliveries" ("webhook_id", "sequence", "number", "timestamp", "attempts", "attempts_in_round", "next_attempt_at", "requested_at")
SELECT "webhook_id", "sequence", "number", "timestamp", "attempts", "attempts_in_round", "next_attempt_at", "requested_at" FROM "webhook_tests";
--> statement-breakpoint
DROP TABLE "webhook_tests";--> statement-breakpoint
ALTER TABLE "deliveries" ADD CONSTRAINT "deliveries_webhook_id_sequence_number_pk" PRIMARY KEY("webhook_id","sequence","number");--> statement-breakpoint
CREATE UNIQUE INDEX "deliveries_tests" ON "deliveries" USING btree ("number") WHERE "deliveries"."timestamp" is not null;--> statement-breakpoint
CREATE INDEX "deliveries_tests_pending" ON "deliveries" USING btree ("webhook_id") WHERE "deliveries"."timestamp" is not null and "deliveries"."next_attempt_at" is not null;--> statement-breakpoint
CREATE INDEX "deliveries_tests_settled" ON "deliveries" USING btree ("timestamp") WHERE "deliveries"."timestamp" is not null and "deliveries"."next_attempt_at" is null;
