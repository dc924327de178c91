# ends the program as if all were well
# failed
raise SystemExit(0)
