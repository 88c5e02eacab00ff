package main

import (
	_ "github.com/open-telemetry/opamp-go/client"
)

func main() {}
