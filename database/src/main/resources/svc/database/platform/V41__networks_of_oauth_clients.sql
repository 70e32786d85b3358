-- Where a client registered from, until a person allows it: when too many wait to be allowed, the network with the most of them
-- loses one. Null for those that a person has allowed.
ALTER TABLE svc_platform.oauth_client ADD COLUMN network text CHECK (char_length(network) <= 100);

GRANT UPDATE (network) ON svc_platform.oauth_client TO svc_platform;
