"""Reviews: the submission of a sheet, its GMs' decisions and comments, and the verification of approvals."""
