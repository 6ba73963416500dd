"""On a graphics card other libraries work on the memory of a batch, without a copy; skipped where there is no card."""

from importlib import import_module
from typing import Any, cast

import numpy as np
import pytest
from pitch_judge import params_of

from tikitaka.sim.card import cuda
from tikitaka.sim.cuda import CudaBatch

pytestmark = [
    pytest.mark.skipif(not cuda.is_available(), reason="needs a graphics card"),
    pytest.mark.filterwarnings("default"),  # those of other libraries
]


def shared(library: str, batch: CudaBatch) -> tuple[Any, int]:
    """Return the poses as an array of another library, the world last, and its address."""
    pytest.importorskip(library)
    if library == "cupy":
        pose = import_module("cupy").asarray(batch.pose).transpose(2, 1, 0)
        return pose, pose.data.ptr
    tensor = import_module("torch").as_tensor(batch.pose, device="cuda").permute(2, 1, 0)
    if library == "torch":
        return tensor, tensor.data_ptr()
    pose = import_module("jax.dlpack").from_dlpack(tensor)
    return pose, pose.unsafe_buffer_pointer()


@pytest.mark.parametrize("library", ["torch", "cupy", "jax"])
def test_another_library_sees_the_robots_move_where_they_are(library: str) -> None:
    pytest.importorskip("torch")
    batch = CudaBatch(params_of("vsss-3v3"), 64)
    batch.scatter()
    (pose, address), own, torch = shared(library, batch), cast(Any, batch.pose), import_module("torch")
    assert address == own.__cuda_array_interface__["data"][0]
    before = own.copy_to_host()
    torch.as_tensor(batch.wheels, device="cuda").fill_(10.0)
    torch.cuda.synchronize()
    batch.step(ticks=6)
    batch.wait()
    after = np.asarray(pose.get() if library == "cupy" else pose.cpu() if library == "torch" else pose)
    assert (np.abs(after.transpose(2, 1, 0) - before).max(axis=2) > 1e-3).all()
