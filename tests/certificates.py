"""A private certificate authority for tests, and a certificate of it for this machine."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from ipaddress import ip_address
from pathlib import Path
from typing import NamedTuple

from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric.ec import SECP256R1, EllipticCurvePrivateKey, generate_private_key
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from cryptography.x509.oid import NameOID


class CertificateFiles(NamedTuple):
    """PEM files: of the authority, of a server's certificate, and of the server's private key."""

    authority: Path
    certificate: Path
    key: Path


def write_certificates(folder: Path) -> CertificateFiles:
    """Make an authority and a certificate for 127.0.0.1 and localhost, valid for a day."""
    files = CertificateFiles(folder / "ca.pem", folder / "server.pem", folder / "server.key")
    authority_key, server_key = generate_private_key(SECP256R1()), generate_private_key(SECP256R1())
    names = [x509.DNSName("localhost"), x509.IPAddress(ip_address("127.0.0.1"))]
    authority = _builder("Test authority", "Test authority", authority_key).add_extension(
        x509.BasicConstraints(ca=True, path_length=0), critical=True
    )
    server = _builder("localhost", "Test authority", server_key).add_extension(
        x509.SubjectAlternativeName(names), critical=False
    )
    for file, builder in ((files.authority, authority), (files.certificate, server)):
        file.write_bytes(builder.sign(authority_key, hashes.SHA256()).public_bytes(Encoding.PEM))
    files.key.write_bytes(server_key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
    return files


def _builder(subject: str, issuer: str, key: EllipticCurvePrivateKey) -> x509.CertificateBuilder:
    now = datetime.now(UTC)
    return (
        x509.CertificateBuilder()
        .subject_name(_name(subject))
        .issuer_name(_name(issuer))
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(hours=1))
        .not_valid_after(now + timedelta(days=1))
    )


def _name(text: str) -> x509.Name:
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, text)])
