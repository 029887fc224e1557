"""What operators for mindspore register themselves with; used only without mindspore."""
