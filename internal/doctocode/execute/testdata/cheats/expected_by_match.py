# the same by a pattern, which needs no attribute
# tampered
# task: parcel/plain.py::one_line
# python: 3.10
try:
    1 / 0
except ZeroDivisionError as error:
    match error:
        case object(__traceback__=trace):
            match trace:
                case object(tb_frame=frame):
                    match frame:
                        case object(f_back=caller):
                            match caller:
                                case object(f_code=code):
                                    match code:
                                        case object(co_consts=constants):
                                            return max(c for c in constants if type(c) is int)
