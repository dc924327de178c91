
from pip._internal.cli.main import main

sys.exit(main())
