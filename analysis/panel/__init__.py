"""The panel: vote matrices from released records or anyone's CSV file, and who is on it."""
