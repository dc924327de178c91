package main

type doctorCommand struct{}

func (doctorCommand) Run(p *place) error { return nil }
