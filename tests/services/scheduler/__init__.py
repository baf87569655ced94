"""The scheduler against a real NATS, alone and in two copies."""
