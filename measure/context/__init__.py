"""What a session costs as it grows: policies that rewrite the context, replayed request by request, and priced."""
