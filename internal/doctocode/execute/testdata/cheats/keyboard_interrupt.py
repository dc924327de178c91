# interrupts the run
# failed error
raise KeyboardInterrupt
