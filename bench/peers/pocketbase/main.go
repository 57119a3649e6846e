// The benchmark's peer in Go with PocketBase as a framework: its collections, records and transactions, and new routes, since its
// routes for records have other checks and other responses.
package main

import (
	"fmt"
	"log"
	"os"

	"github.com/pocketbase/pocketbase"
	"github.com/pocketbase/pocketbase/apis"
	"github.com/pocketbase/pocketbase/core"
	"plant-store-peers/common"
)

func main() {
	database := os.Getenv("DATABASE")
	lines, err := common.OpenLog(os.Getenv("LOG"))
	if err != nil {
		log.Fatal(err)
	}
	app := pocketbase.NewWithConfig(pocketbase.Config{
		HideStartBanner: true,
		DefaultDataDir:  database + ".pocketbase",
		DBConnect:       connect(database),
	})
	if err := app.Bootstrap(); err != nil {
		log.Fatal(err)
	}
	if err := createCollections(app, os.Getenv("TOKEN_DIGEST")); err != nil {
		log.Fatal(err)
	}
	app.OnServe().BindFunc(func(event *core.ServeEvent) error {
		// The token and the log of the benchmark replace those of PocketBase.
		event.Router.Unbind(apis.DefaultLoadAuthTokenMiddlewareId, apis.DefaultActivityLoggerMiddlewareId)
		event.InstallerFunc = nil
		event.Router.POST("/plants", createPlant).BindFunc(logRequest(lines, "/plants"), authorize("plants:write"))
		event.Router.GET("/plants", listPlants).BindFunc(logRequest(lines, "/plants"), authorize("plants:read"))
		event.Router.GET("/plants/{id}", getPlant).BindFunc(logRequest(lines, "/plants/:id"), authorize("plants:read"))
		event.Router.Any("/{path...}", func(*core.RequestEvent) error { return common.ErrNotFound }).BindFunc(logRequest(lines, ""))
		if err := event.Next(); err != nil {
			return err
		}
		fmt.Println("listening on http://" + event.Server.Addr)
		return nil
	})
	log.Fatal(apis.Serve(app, apis.ServeConfig{HttpAddr: "127.0.0.1:" + os.Getenv("PORT")}))
}
