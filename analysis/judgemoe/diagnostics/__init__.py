"""What a user should look at before trusting a pool."""
