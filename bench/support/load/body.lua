wrk.method = "POST"
wrk.headers["Content-Type"] = "application/json"
wrk.body = '{"id":9007199254740,"name":"Monstera deliciosa","tag":"tropical"}'
