module plant-store-floor

go 1.26
