"""What QPainter draws over the raster, one layer a file, from the back to the front."""
