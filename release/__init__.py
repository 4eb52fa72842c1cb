"""Builds a release from a tag: packages, protos, bills of materials, images and checksums; see docs/releases.md."""
