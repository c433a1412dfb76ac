"""Where cells come from: users' CSV files, sampled scores, decoded scores, released distribution records."""
