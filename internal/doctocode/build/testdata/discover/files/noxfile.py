import nox

@nox.session
def tests(session):
    session.install("-r", "requirements-test.txt")
    session.install("time-machine", ".")

@nox.session
def lint(session):
    session.install("pylint")
