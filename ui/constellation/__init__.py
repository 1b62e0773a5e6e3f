"""The sky on the screen: a camera over a scene, drawn by kernels and QPainter layers."""
