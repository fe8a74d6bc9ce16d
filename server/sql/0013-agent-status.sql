-- `seeding` is set by the service while an agent waits for something. What a client set waits for nothing.
UPDATE agents SET status = 'active' WHERE status = 'seeding';
